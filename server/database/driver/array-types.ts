/**
 * A column of an array type therefore arrives as one string, such as `{a,b}`: drizzle's columns parse it, and raw SQL selects
 * `to_jsonb(column)` instead. If the connection is lost during the driver's query for them (3.4.9), its unhandled
 * rejection ends the process. (github.com/porsager/postgres, issues 1192 and 1205)
 */
export const withoutArrayTypes = { fetch_types: false };
