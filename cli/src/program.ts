/** How users start the command line in a clone. The npm package replaces this module, because it is on the PATH. */
export const PROGRAM = './kobo'
