export { customerFeature } from './feature.ts'
export { type CustomerRow, findCustomers } from './service.ts'
