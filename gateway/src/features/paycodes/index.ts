export { paycodeRoutes } from './routes.ts'
export { paycodeSweeps } from './service.ts'
