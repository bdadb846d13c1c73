export { beginHistory, type History, readHistory, setDone } from './history.ts'
export { type HistoryOptions, openHistoryWriter, type Past } from './history-writer.ts'
