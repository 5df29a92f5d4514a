"""A fleet of servers over one store: the savings of a new replica, its costs, and the load of many clients."""
