/**
 * Preloaded in a service whose clock a test changes. `TEST_CLOCK` is a file with the difference in
 * milliseconds, which is read again after each SIGUSR2.
 */

const { readFileSync } = require("node:fs");

const RealDate = Date;
let offset_ms = 0;
process.on("SIGUSR2", () => {
  offset_ms = Number(readFileSync(process.env.TEST_CLOCK, "utf8"));
});

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offset_ms);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + offset_ms;
  }
};
