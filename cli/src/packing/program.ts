export const PROGRAM = 'kobo'
