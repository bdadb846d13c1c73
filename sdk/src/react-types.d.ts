/** The parts of React that the SDK uses. Users of the package have React's own types. */
declare module 'react' {
  export type ReactNode = unknown
  export interface ReactElement {
    readonly type: unknown
  }
  export function createElement(type: string, props: object, ...children: readonly ReactNode[]): ReactElement
  export function useEffect(effect: () => () => void, dependencies: readonly unknown[]): void
  export function useState<State>(initial: State): [State, (state: State) => void]
}
