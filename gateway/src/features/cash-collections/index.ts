export { cashCollectionRoutes } from './routes.ts'
