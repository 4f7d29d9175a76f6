// The hashes of the page's style and script, for its Content-Security-Policy; a test compares them.

/** Of `style`. */
export const styleHash = "sha256-C6y82nQluo+O5Bw+BrA2YZjjINwcboMKeq6kpdfz5E4=";
/** Of `script`. */
export const scriptHash = "sha256-ky43Pxl8De+62t6aZirqMmTSSbFFyxpUm93LZZVgDzE=";
