/** A person in a browser, by the cookie that a link gave. */
export interface Reader {
  readonly baseUrl: string
  readonly cookie: string
}

export interface DashboardOptions {
  /** As `npm start` prints it: good once. */
  readonly link: string
  /** What `kobo credentials` prints: where it is named, an export is measured while payments go on. */
  readonly credentials: string | undefined
  readonly rounds: number
  readonly seconds: number
  readonly progress: (text: string) => void
}
