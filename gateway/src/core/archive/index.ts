export { checkMonth, monthsIn, readMonthManifest } from './files.ts'
export { type FoundRow, findInArchive } from './find.ts'
export { type WrittenArchive, writeArchive } from './write.ts'
