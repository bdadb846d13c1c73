export { DISTRIBUTED, LOCAL, REFERENCE } from './placement.ts'
