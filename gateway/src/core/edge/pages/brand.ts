/** Returns the path of the style sheet with the merchant's colour; none if the merchant has no colour. */
export const brandStyles = ({ brandColour }: { readonly brandColour: string | null }): readonly string[] =>
  brandColour === null ? [] : [`/checkout/colours/${brandColour.slice(1)}.css`]

const COLOUR = /^([0-9a-f]{6})\.css$/

/**
 * Returns the content of the style sheet with this file name. It is a file, because the pages' content security policy
 * forbids inline styles.
 */
export function brandSheet(name: string): string | undefined {
  const colour = COLOUR.exec(name)?.[1]
  return colour === undefined
    ? undefined
    : `:root{--stub:#${colour};--stub-quiet:#fff;--stub-gold:#fff;--stub-gold-ink:#${colour}}`
}
