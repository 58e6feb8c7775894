"use strict";
// The command that ships has the check.
require("../server/bin/require-node.cjs");
