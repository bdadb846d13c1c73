/** A signed-in browser. */
export interface Reader {
  readonly baseUrl: string
  readonly cookie: string
}

export interface DashboardOptions {
  /** The link that `npm start` prints; it works once. */
  readonly link: string
  readonly rounds: number
  readonly progress: (text: string) => void
}
