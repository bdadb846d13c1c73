export { sandboxRoutes } from './routes.ts'
export { LOOPBACK } from './settings.ts'
