// In the package, these include the request and response type of every call.
export type * from './api.ts'
export type { CallOptions } from './call-types.ts'
export { type ConnectOptions, connect } from './connect.ts'
export { NoResponse, Refused } from './errors.ts'
export * from './events.ts'
