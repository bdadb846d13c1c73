export { recurringRoutes } from './routes.ts'
