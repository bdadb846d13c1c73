export { measureGateway } from './gauges.ts'
export { operationRoutes } from './routes.ts'
