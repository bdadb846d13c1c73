export { refundOrders } from './orders.ts'
export { refundRoutes } from './routes.ts'
