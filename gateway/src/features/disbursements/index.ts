export { type TransferOrders, transferOrders } from './orders.ts'
export { disbursementRoutes } from './routes.ts'
export { disbursementSweeps } from './sweeps.ts'
