export type { Browser } from './browser.ts'
export type { By, Caller } from './caller.ts'
export { done, openServe, type Serve } from './serve.ts'
