/** Does nothing, for as long as it is left to. */
setInterval(() => {}, 60_000);
process.once('SIGTERM', () => process.exit());
