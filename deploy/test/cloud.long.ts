import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec'
import { expect, test } from 'vitest'
import { referencesIn, template } from './cloud-template.ts'

/** AWS' own description of its resources. */
const specification = loadAwsServiceSpecSync()

type Definition = { properties: Record<string, { required?: boolean; type: PropertyType }> }
type PropertyType = {
  type: string
  reference?: { $ref: string }
  element?: PropertyType
  types?: PropertyType[]
}

const resourceOf = (type: string) =>
  specification.lookup('resource', 'cloudFormationType', 'equals', type).only()

const isFunction = (value: object): boolean => Object.keys(value).some((key) => /^(Ref|Fn::.*)$/.test(key))

function problemsIn(value: unknown, definition: Definition, place: string): string[] {
  if (typeof value !== 'object' || value === null || isFunction(value)) return []
  const known = definition.properties
  const missing = Object.keys(known).filter((name) => known[name]?.required && !(name in value))
  const inside = Object.entries(value).flatMap(([name, inner]) => {
    const property = known[name]
    return property ? problemsOf(inner, property.type, `${place}.${name}`) : [`${place}.${name} is unknown`]
  })
  return [...missing.map((name) => `${place}.${name} is missing`), ...inside]
}

function problemsOf(value: unknown, type: PropertyType, place: string): string[] {
  if (type.type === 'array' && Array.isArray(value) && type.element) {
    const { element } = type
    return value.flatMap((inner, index) => problemsOf(inner, element, `${place}[${index}]`))
  }
  if (type.type === 'union') {
    const all = (type.types ?? []).map((one) => problemsOf(value, one, place))
    return all.some((problems) => problems.length === 0) ? [] : (all[0] ?? [])
  }
  if (type.type !== 'ref' || !type.reference) return []
  return problemsIn(
    value,
    specification.get('typeDefinition', type.reference.$ref) as unknown as Definition,
    place,
  )
}

test.each(Object.entries(template.Resources))(
  '%s has the properties that AWS knows',
  (name, { Type, Properties }) => {
    expect(problemsIn(Properties, resourceOf(Type) as unknown as Definition, name)).toEqual([])
  },
)

test('a misspelled property would be found', () => {
  const bucket = resourceOf('AWS::S3::Bucket') as unknown as Definition
  const wrong = {
    CorsConfiguration: { CorsRules: [{ AllowedOrigins: ['*'], AllowedMethods: ['PUT'], MaxAges: 1 }] },
  }
  expect(problemsIn(wrong, bucket, 'Videos')).toEqual([
    'Videos.CorsConfiguration.CorsRules[0].MaxAges is unknown',
  ])
})

test('every attribute that is read exists', () => {
  const read = referencesIn([template.Resources, template.Outputs]).filter(
    ({ attribute }) => attribute !== undefined,
  )
  const unknown = read.filter(({ name, attribute = '' }) => {
    const type = template.Resources[name]?.Type
    return type === undefined || !(attribute in resourceOf(type).attributes)
  })
  expect(read).not.toEqual([])
  expect(unknown).toEqual([])
})
