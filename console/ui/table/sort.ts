/** A column's id, with a minus for the greatest first: the sort of a list in its address. */
export type Sort = string

type Sorting = { readonly id: string; readonly desc: boolean }[]

export function sortingOf(sort: Sort | undefined): Sorting {
  if (sort === undefined) return []
  return [sort.startsWith('-') ? { id: sort.slice(1), desc: true } : { id: sort, desc: false }]
}

export function sortOf([first]: Sorting): Sort | undefined {
  return first === undefined ? undefined : `${first.desc ? '-' : ''}${first.id}`
}
