import { z } from 'zod';

export const pageSizes = [10, 25, 50, 100] as const;
export const pageSizeDefault = 25;
export const limitMax = 999;
export const searchMax = 200;

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine(n => n >= min && n <= max);

/** A number in a query, from 1 to `max`. */
export const countUpTo = (max: number) => z.union([whole(1, max), z.number().int().min(1).max(max)]);

/** The response header with the cursor of the next page; absent on the last page. */
export const nextCursorHeader = 'next-cursor';

/** The `cursor` of a list whose pages have the header `Next-Cursor`. It belongs to the order of that page. */
export const cursorLike = (example: string) =>
  z
    .string()
    .max(1000)
    .meta({ examples: [example], description: 'The `Next-Cursor` of the previous page, in the same order.' })
    .optional();

/** The query parameters of every list. `sortBy` is checked against the fields its endpoint declares. */
export const pagingQuery = {
  limit: countUpTo(limitMax).optional(),
  skip: z.union([whole(0, Number.MAX_SAFE_INTEGER), z.number().int().min(0)]).optional(),
  sortBy: z
    .string()
    .regex(/^[A-Za-z]{1,40}:(asc|desc)$/)
    .optional(),
  search: z.string().max(searchMax).optional(),
};

/** A page of a list, as the client returns it; the total comes from the `Content-Range` header. */
export interface Page<T> {
  items: T[];
  total: number;
  /** True: the total is a lower bound, because counting stopped there. */
  totalIsLowerBound: boolean;
  /** The cursor of the next page, if the list supports cursors and there is one. */
  nextCursor?: string;
}
