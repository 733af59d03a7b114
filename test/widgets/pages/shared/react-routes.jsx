import { Link, useParams } from "react-router";
import { useRecords } from "./react.jsx";

function Home() {
  return (
    <ul>
      {useRecords("/data/books?limit=10").map(({ id, title }) => (
        <li className="item" key={id}>
          <Link to={`/item/${id}`}>{title}</Link>
        </li>
      ))}
    </ul>
  );
}

function Item() {
  const { id } = useParams();
  const [book] = useRecords(`/data/books?id=${id}`);
  return book ? (
    <article>
      <h2>{book.title}</h2>
      <p className="author">{book.author}</p>
      <p className="blurb">{book.blurb}</p>
    </article>
  ) : (
    <p>Loading…</p>
  );
}

export const routes = [
  { path: "/", element: <Home /> },
  { path: "/item/:id", element: <Item /> },
];
