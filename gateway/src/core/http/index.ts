export { checkAddress } from './access.ts'
export { openServe, type Serve } from './serve.ts'
