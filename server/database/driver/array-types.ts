/**
 * The product uses no array types. If the connection is lost during the driver's query for them (3.4.9), its unhandled
 * rejection ends the process. (github.com/porsager/postgres, issues 1192 and 1205)
 */
export const withoutArrayTypes = { fetch_types: false };
