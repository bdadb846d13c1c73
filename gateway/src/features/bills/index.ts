export { billRoutes } from './routes.ts'
export { billSweeps } from './sweeps.ts'
