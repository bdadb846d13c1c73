export { refundRoutes } from './routes.ts'
export { openRefundWork, type RefundWork } from './worker.ts'
