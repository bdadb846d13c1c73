/** How the reader starts the command line in a clone. The package, which is on the PATH, replaces this module. */
export const PROGRAM = './kobo'
