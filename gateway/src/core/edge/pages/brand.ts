/** The style sheet that gives a page its merchant's colour; none where it has no colour of its own. */
export const brandStyles = ({ brandColour }: { readonly brandColour: string | null }): readonly string[] =>
  brandColour === null ? [] : [`/checkout/colours/${brandColour.slice(1)}.css`]

const COLOUR = /^([0-9a-f]{6})\.css$/

/** That style sheet, by the end of its path. Of a style sheet's own, since pages take no styles but from files. */
export function brandSheet(name: string): string | undefined {
  const colour = COLOUR.exec(name)?.[1]
  return colour === undefined
    ? undefined
    : `:root{--stub:#${colour};--stub-quiet:#fff;--stub-gold:#fff;--stub-gold-ink:#${colour}}`
}
