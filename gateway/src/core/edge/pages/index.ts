export { type BuiltFiles, builtFileRoutes, readBuiltFiles, sendBuiltFile } from './files.ts'
export { LOGO } from './logo.ts'
export { openPages, type PageAnswer, type PageRequest, type Pages, unknownPages } from './serve.ts'
export { type Page, slip } from './shell.ts'
