/** The number of the sandbox's bank among banks, with which its session ids start. */
export const INSTITUTION = '090405'
