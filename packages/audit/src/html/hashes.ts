// The hashes of the page's style and script, for its Content-Security-Policy; a test compares them.

/** Of `style`. */
export const styleHash = "sha256-ziVRTcynTRxVrqxmysM0TRqMOePsKSx4egOZPydjwb0=";
/** Of `script`. */
export const scriptHash = "sha256-myHhm/QNS7Yg8wStRWCztdFQXf7ZbMYUjZcs5uoObEs=";
