export { eventLogFeature } from './feature.ts'
export { type By, listEventPage, listEventsBefore, resendEvent, resendEvents, showEvent } from './service.ts'
