export { bankTransferRoutes } from './routes.ts'
