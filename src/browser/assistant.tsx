/** The assistant. */
Object.assign(globalThis, { octavoAssistant: {} });
