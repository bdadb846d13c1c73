export { openServe, type Serve } from './serve.ts'
