/**
 * Defines the texts that the stored summary of a successful deployment starts with. The dashboard replaces these texts if another
 * deployment goes live.
 */

export const liveText = "Live";
export const supersededText = "Superseded: a later deployment, or the one that you rolled back to, is live";
