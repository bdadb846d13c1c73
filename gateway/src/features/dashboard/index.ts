export { dashboardFeature } from './feature.ts'
export { masked } from './masking.ts'
export { deleteSums } from './repository.ts'
export { sumUpNow } from './sweeps.ts'
