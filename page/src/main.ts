/** The page of `fractal-context pack --report`, and of `view` where it holds no record of its own. */

import { byId } from "./dom";
import { follow } from "./live";
import { HeldTexts, type PageRecord } from "./record";
import { View } from "./view";

const record = JSON.parse(byId("record").textContent ?? "") as PageRecord | null;
if (record) new View().show(record, new HeldTexts(record.texts));
else follow();
