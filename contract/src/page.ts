import Type, { type Static, type TSchema } from 'typebox'

export const PAGE_SIZE_DEFAULT = 10
export const PAGE_SIZE_MAX = 100

/** `page` and `size` of collection listings. Sizes above the maximum are reduced to it. */
export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: PAGE_SIZE_DEFAULT })),
}

export const PAGE_NUMBER_SIZE_DEFAULT = 20

/** `pageNo` and `pageSize` of transfer and wallet listings. Sizes above the maximum are reduced to it. */
export const PageNumberQuery = {
  pageNo: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: PAGE_NUMBER_SIZE_DEFAULT })),
}

const Sort = Type.Object({ sorted: Type.Boolean(), unsorted: Type.Boolean(), empty: Type.Boolean() })

/** The page wrapper of a listing. */
export const page = <S extends TSchema>(item: S) =>
  Type.Object({
    content: Type.Array(item),
    pageable: Type.Object({
      sort: Sort,
      pageSize: Type.Integer(),
      pageNumber: Type.Integer(),
      offset: Type.Integer(),
      paged: Type.Boolean(),
      unpaged: Type.Boolean(),
    }),
    last: Type.Boolean(),
    first: Type.Boolean(),
    totalElements: Type.Integer(),
    totalPages: Type.Integer(),
    sort: Sort,
    numberOfElements: Type.Integer(),
    size: Type.Integer(),
    number: Type.Integer(),
    empty: Type.Boolean(),
  })

export type Page<Item> = Omit<Static<ReturnType<typeof page>>, 'content'> & { content: Item[] }

/** Wraps the items of one page. Listings are sorted (newest first), so `sorted` is always true. */
export function toPage<Item>(content: Item[], totalElements: number, number: number, size: number): Page<Item> {
  const sort = { sorted: true, unsorted: false, empty: false }
  const totalPages = Math.ceil(totalElements / size)
  return {
    content,
    pageable: { sort, pageSize: size, pageNumber: number, offset: number * size, paged: true, unpaged: false },
    last: number + 1 >= totalPages,
    first: number === 0,
    totalElements,
    totalPages,
    sort,
    numberOfElements: content.length,
    size,
    number,
    empty: content.length === 0,
  }
}
