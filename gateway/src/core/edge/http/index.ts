export type { Browser } from './browser.ts'
export type { By, Caller } from './caller.ts'
export { openServe, type Serve } from './serve.ts'
