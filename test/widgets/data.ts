/** The records that the pages show. The expected rows are computed from the same records, independent of the pages. */

export interface Person {
  id: number;
  name: string;
  position: string;
  office: string;
  age: number;
  start: string;
  salary: string;
}

export interface Book {
  id: number;
  title: string;
  author: string;
  price: string;
  genre: string;
  year: number;
  blurb: string;
}

export interface Order {
  id: number;
  number: string;
  customer: string;
  city: string;
  total: string;
  note: string;
}

const firstNames = "Airi Ashton Bradley Cara Doris Elena Fiona Garrett Herrod Irma Jena Kaya Lael".split(" ");
const lastNames =
  "Satou Cox Greer Stevens Wilder Marks Green Winters Chandler Ortiz Gaines Novák Åkesson Müller García Sørensen O’Neill".split(
    " ",
  );
export const offices = ["Edinburgh", "London", "New York", "Oslo", "San Francisco", "Singapore", "Tokyo"];
const positions = ["Accountant", "Software Engineer", "Developer", "Support Lead", "Sales Assistant"];
export const cities = [
  "Athens",
  "Bergen",
  "Cairo",
  "Dublin",
  "Oslo",
  "Porto",
  "Quito",
  "Rome",
  "Sofia",
  "Turin",
];
export const genres = ["Biography", "Crime", "Fantasy", "Poetry", "Romance", "Travel"];
const titleStarts = "Silent Winter Crooked Golden Lost Paper Salt Glass Iron Summer Hidden Last".split(" ");
const titleEnds = "Garden|River|House by the Sea|Lighthouse|Orchard|Kingdom|Letters|Mountain".split("|");
const words =
  "the parcel waits for a courier who rings twice and leaves it with a neighbour on the second floor".split(
    " ",
  );

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
const twoDigits = (number: number) => String(number).padStart(2, "0");

/** 57 people, sorted by id. All names differ. */
export const people: readonly Person[] = Array.from({ length: 57 }, (_, index) => ({
  id: index + 1,
  name: `${pick(firstNames, index)} ${pick(lastNames, index * 5 + 2)}`,
  position: pick(positions, index * 3 + 1),
  office: pick(offices, index * 4 + (index >> 3)),
  age: 21 + ((index * 17) % 45),
  start: `20${twoDigits(8 + (index % 15))}-${twoDigits(1 + (index % 12))}-${twoDigits(1 + ((index * 7) % 28))}`,
  salary: `$${90 + ((index * 37) % 400)},${100 + ((index * 53) % 900)}`,
}));

/** 96 books. All titles differ. One title contains "Next", like the link of a pagination. */
export const books: readonly Book[] = Array.from({ length: 96 }, (_, index) => ({
  id: index + 1,
  title:
    index === 4
      ? "My Life Next Door"
      : `The ${pick(titleStarts, index)} ${titleEnds[Math.floor(index / 12)]}`,
  author: `${pick(firstNames, index * 3 + 1)} ${pick(lastNames, index * 7 + 3)}`,
  price: `£${3 + ((index * 13) % 27)}.${index % 2 ? "50" : "99"}`,
  genre: pick(genres, index * 5 + (index >> 2)),
  year: 1950 + ((index * 29) % 74),
  blurb: `Book ${index + 1}: ${Array.from({ length: 6 + ((index * 5) % 9) }, (_, word) => pick(words, index + word)).join(" ")}.`,
}));

/** 400 orders. Their notes have different lengths, and some consecutive orders have equal notes. */
export const orders: readonly Order[] = Array.from({ length: 400 }, (_, index) => ({
  id: index + 1,
  number: `A-${String(index + 1).padStart(4, "0")}`,
  customer: `${pick(firstNames, index * 5 + (index >> 4))} ${pick(lastNames, index * 3)}`,
  city: pick(cities, index * 7 + (index >> 5)),
  total: `€${10 + ((index * 71) % 890)}.${twoDigits((index * 31) % 100)}`,
  note: Array.from({ length: 3 + (((index >> 1) * 11) % 40) }, (_, word) =>
    pick(words, (index >> 1) + word),
  ).join(" "),
}));

/** 90 events in March and April 2026, two or three per day. */
export const events = Array.from({ length: 90 }, (_, index) => {
  const day = new Date(Date.UTC(2026, 2, 1 + Math.floor(index * 0.4)));
  return {
    id: index + 1,
    name: `${pick(titleEnds, index)} evening ${index + 1}`,
    date: day.toISOString().slice(0, 10),
  };
});
