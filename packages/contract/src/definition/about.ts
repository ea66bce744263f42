import { Type } from 'typebox'
import { titled } from '../components/annotations.ts'
import { Name, Prose } from '../text.ts'

const Strict = { additionalProperties: false }

const Author = Type.Object(
  {
    name: titled('Name', Name(200, 'As it is to be cited')),
    orcid: titled(
      'ORCID',
      Type.Optional(
        Type.String({
          pattern: '^\\d{4}-\\d{4}-\\d{4}-\\d{3}[\\dX]$',
          description: 'The id without the address',
          examples: ['0000-0002-1825-0097'],
        }),
      ),
    ),
    affiliation: titled('Affiliation', Type.Optional(Name(300, 'University or institute'))),
    email: titled(
      'E-mail',
      Type.Optional(
        Type.String({
          pattern: '^[^@\\s\\p{Cc}\\p{Cs}]{1,120}@[^@\\s\\p{Cc}\\p{Cs}]{1,120}$',
          description: 'Only if it may be published',
        }),
      ),
    ),
  },
  { ...Strict, title: 'Author' },
)

/** R95: what a reader of the data needs to know about the study, and to cite it. */
export const About = Type.Object(
  {
    authors: titled(
      'Authors',
      Type.Optional(Type.Array(Author, { maxItems: 200, description: 'In the order of the citation' })),
    ),
    licence: titled(
      'Licence',
      Type.Optional(
        Name(300, 'What others may do with the data: an SPDX id or an address', { examples: ['CC-BY-4.0'] }),
      ),
    ),
    citation: titled('Citation', Type.Optional(Prose(5_000, 'How the data or the paper is to be cited'))),
    funding: titled('Funding', Type.Optional(Prose(5_000, 'Who paid for the study, with grant numbers'))),
    contact: titled('Contact', Type.Optional(Name(500, 'Whom readers of the data can ask'))),
    keywords: titled(
      'Keywords',
      Type.Optional(
        Type.Array(Name(100, 'A keyword'), { maxItems: 50, uniqueItems: true, description: 'For search' }),
      ),
    ),
  },
  {
    ...Strict,
    description:
      'Who made the study and how to cite it, for the archive of its data; participants do not see it',
  },
)
export type About = Type.Static<typeof About>
