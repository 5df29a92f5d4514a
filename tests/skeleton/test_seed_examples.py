"""The examples of the Fractal Protocol come out as it prints them (sections 2.1, 4.1, 4.2.2 and appendix A)."""

from __future__ import annotations

from textwrap import dedent

import pytest

from skeleton import CompressionLevel, Skeletonizer
from skeleton.skeletonizer import SkeletonResult

PLUS, SKELETON = CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON


def skeletonize(content: str, language: str, level: CompressionLevel) -> str:
    return Skeletonizer(level).skeletonize(content, language).content


RUST_CONFIG = """\
/// Configuration for the application
pub struct Config {
    pub host: String,
    pub port: u16,
    pub debug: bool,
}

impl Config {
    /// Load configuration from environment
    pub fn from_env() -> Result<Self, ConfigError> {
        let host = std::env::var("HOST").unwrap_or_else(|_| "localhost".to_string());
        let port = std::env::var("PORT")
            .ok()
            .and_then(|p| p.parse().ok())
            .unwrap_or(8080);
        let debug = std::env::var("DEBUG").is_ok();

        Ok(Self { host, port, debug })
    }

    /// Validate the configuration
    pub fn validate(&self) -> Result<(), ConfigError> {
        if self.port == 0 {
            return Err(ConfigError::InvalidPort);
        }
        Ok(())
    }
}
"""

RUST_CONFIG_PLUS = """\
/// Configuration for the application
pub struct Config {
    pub host: String,
    pub port: u16,
    pub debug: bool,
}

impl Config {
    /// Load configuration from environment
    pub fn from_env() -> Result<Self, ConfigError> { /* ... */ }

    /// Validate the configuration
    pub fn validate(&self) -> Result<(), ConfigError> { /* ... */ }
}"""

RUST_CONFIG_SKELETON = """\
pub struct Config {
    pub host: String,
    pub port: u16,
    pub debug: bool,
}

impl Config {
    pub fn from_env() -> Result<Self, ConfigError>;
    pub fn validate(&self) -> Result<(), ConfigError>;
}"""

RUST_PROCESS = """\
/// Process incoming data with validation
pub async fn process_data(
    input: &[u8],
    config: &Config,
) -> Result<ProcessedData, ProcessError> {
    let validated = validate_input(input)?;
    let parsed = parse_data(&validated)?;

    let mut result = ProcessedData::new();
    for item in parsed.items {
        if config.should_include(&item) {
            result.add(transform_item(item)?);
        }
    }

    Ok(result)
}
"""

RUST_PROCESS_PLUS = """\
/// Process incoming data with validation
pub async fn process_data(
    input: &[u8],
    config: &Config,
) -> Result<ProcessedData, ProcessError> { /* ... */ }"""

RUST_PROCESS_SKELETON = (
    "pub async fn process_data(input: &[u8], config: &Config) -> Result<ProcessedData, ProcessError>;"
)

PYTHON_PROCESSOR = '''\
class DataProcessor:
    """Processes data files with configurable transformations."""

    def __init__(self, config: Config):
        """Initialize with configuration.

        Args:
            config: Processing configuration object
        """
        self.config = config
        self.cache = {}
        self._setup_handlers()

    def process(self, data: bytes) -> ProcessedData:
        """Process raw bytes into structured data.

        Args:
            data: Raw input bytes

        Returns:
            Processed and validated data structure
        """
        validated = self._validate(data)
        parsed = self._parse(validated)
        return self._transform(parsed)
'''

PYTHON_PROCESSOR_PLUS = '''\
class DataProcessor:
    """Processes data files with configurable transformations."""

    def __init__(self, config: Config):
        """Initialize with configuration."""
        ...

    def process(self, data: bytes) -> ProcessedData:
        """Process raw bytes into structured data."""
        ...'''

PYTHON_PROCESSOR_SKELETON = """\
class DataProcessor:
    def __init__(self, config: Config): ...
    def process(self, data: bytes) -> ProcessedData: ..."""


@pytest.mark.parametrize(
    ("content", "language", "level", "expected"),
    [
        (RUST_CONFIG, "rust", CompressionLevel.FULL, RUST_CONFIG),
        (RUST_CONFIG, "rust", PLUS, RUST_CONFIG_PLUS),
        (RUST_CONFIG, "rust", SKELETON, RUST_CONFIG_SKELETON),
        (RUST_CONFIG, "rust", CompressionLevel.DROP, ""),
        (RUST_PROCESS, "rust", PLUS, RUST_PROCESS_PLUS),
        (RUST_PROCESS, "rust", SKELETON, RUST_PROCESS_SKELETON),
        (PYTHON_PROCESSOR, "python", PLUS, PYTHON_PROCESSOR_PLUS),
        (PYTHON_PROCESSOR, "python", SKELETON, PYTHON_PROCESSOR_SKELETON),
    ],
)
def test_an_example_comes_out_as_it_is_printed(
    content: str, language: str, level: CompressionLevel, expected: str
) -> None:
    assert skeletonize(content, language, level) == expected


def test_a_rust_function_signature_is_extracted() -> None:
    content = """
        pub fn process(data: &[u8]) -> Result<Output, Error> {
            let parsed = parse(data)?;
            transform(parsed)
        }
    """
    assert skeletonize(content, "rust", SKELETON) == "pub fn process(data: &[u8]) -> Result<Output, Error>;"


def test_a_python_class_keeps_what_a_caller_needs() -> None:
    content = '''
class Config:
    """Application configuration."""

    def __init__(self, path: str):
        self.path = Path(path)
        self.data = {}

    def load(self) -> dict:
        """Load configuration from file."""
        with open(self.path) as f:
            self.data = json.load(f)
        return self.data
    '''
    skeleton = skeletonize(content, "python", PLUS)
    assert "class Config:" in skeleton
    assert '"""Application configuration."""' in skeleton
    assert "def __init__(self, path: str): ..." in skeleton
    assert "def load(self) -> dict:" in skeleton
    assert "json.load" not in skeleton


def test_nested_braces_do_not_end_a_body_early() -> None:
    content = """
fn outer() {
    if condition {
        inner();
    }
    match x {
        A => { do_a(); }
        B => { do_b(); }
    }
}
    """
    assert skeletonize(content, "rust", SKELETON) == "fn outer();"


def test_indentation_ends_a_python_body() -> None:
    content = dedent(
        """
        def outer():
            if True:
                nested()

            for x in items:
                process(x)

        def next_function():
            pass
        """
    )
    assert skeletonize(content, "python", SKELETON) == "def outer(): ...\ndef next_function(): ..."


def test_a_large_module_shrinks_by_80_to_95_percent() -> None:
    loop = RUST_PROCESS[RUST_PROCESS.index("    for item") : RUST_PROCESS.index("    Ok(result)")]
    functions = (RUST_PROCESS.replace("process_data", f"process_{number}") for number in range(20))
    methods = "\n".join(function.replace(loop, loop * 3) for function in functions)
    result: SkeletonResult = Skeletonizer(SKELETON).skeletonize(methods, "rust")
    assert 0.80 <= result.compression_ratio <= 0.95
    assert result.skeleton_tokens == Skeletonizer(SKELETON).estimate_tokens(methods, "rust")
    assert result.preserved_symbols == tuple(f"process_{number}" for number in range(20))


def test_open_questions_are_answered_as_recommended() -> None:
    content = (
        "use std::io;\n\nconst MAX_RETRIES: usize = 3;\n\n#[derive(Debug)]\npub struct A;\n\n#[test]\nfn f() { g() }\n"
    )
    plus, skeleton = skeletonize(content, "rust", PLUS), skeletonize(content, "rust", SKELETON)
    assert "const MAX_RETRIES: usize = 3;" in plus
    assert "MAX_RETRIES" not in skeleton
    for text in (plus, skeleton):
        assert "use std::io;" in text
        assert "#[derive(Debug)]" in text
        assert "#[test]" in text
