export { type Browser, SIGN_ON_SECONDS } from './browser.ts'
export type { By, Caller } from './caller.ts'
export { masked } from './personal-data.ts'
export { done, openServe, type Serve } from './serve.ts'
