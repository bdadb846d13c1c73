export { disbursementRoutes } from './routes.ts'
export { openTransfers, type Transfers } from './send.ts'
export { disbursementSweeps, transferSending } from './sweeps.ts'
