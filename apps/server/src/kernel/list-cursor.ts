/** Where a page of a list ends, as `next` says it: a time, and the id that decides between entries of the same time. */
export function listCursor<At extends string, Id extends string>(at: At, id: Id) {
  type Place = Record<At, number> & Record<Id, string>
  return {
    write: (place: Place): string => `${place[at]}.${place[id]}`,
    /** The contract accepts only what `write` writes. */
    read(text: string): Place {
      const end = text.indexOf('.')
      return { [at]: Number(text.slice(0, end)), [id]: text.slice(end + 1) } as Place
    },
  }
}
