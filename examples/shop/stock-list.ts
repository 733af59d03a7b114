/**
 * The shop's stock in the order in which it came in: two lines a book. The first reads
 * title | author | category | year | binding | condition | pages | language | price | rating (voters) | stock;
 * the second is what the shop says about the copy.
 */
export const stockList = `
Middlemarch | George Eliot | Fiction | 1947 | Hardback | Very good | 896 | English | £14.50 | 4.8 (31) | In stock
A whole provincial town, its marriages, debts and second thoughts. Bright green cloth, with the name of a careful reader in pencil on the flyleaf.

The Voyage of the Beagle | Charles Darwin | Travel | 1962 | Paperback | Good | 524 | English | £7.00 | 4.6 (18) | In stock
Five years round the world in a small ship with a seasick naturalist. The map is present and has been folded the right way.

The Wind in the Willows | Kenneth Grahame | Children's books | 1951 | Hardback | Good | 208 | English | £12.00 | 4.9 (44) | Last copy
Mole gives up spring cleaning and finds the river. Plates clean, one corner bumped by somebody small.

Leaves of Grass | Walt Whitman | Poetry & plays | 1921 | Hardback | Fair | 430 | English | £22.00, was £28.00 | 4.5 (12) | In stock
Poems for reading aloud outdoors, and this copy has been: the boards are faded and the pages smell faintly of hay.

Война и мир | Лев Толстой | Fiction | 1978 | Hardback | Good | 1424 | Russian | £18.00 | 4.9 (27) | In stock
War and Peace in Russian, all four volumes bound as two. Small print, large heart, no loose pages.

The Natural History of Selborne | Gilbert White | Nature | 1949 | Hardback | Very good | 296 | English | £11.50 | 4.4 (16) | In stock
Letters from a Hampshire parish about swallows, earthworms and an old tortoise called Timothy.

Wuthering Heights | Emily Brontë | Fiction | 1965 | Paperback | Well read | 372 | English | £3.50 | 4.3 (52) | In stock
Two houses, two families and a great deal of weather. Spine creased, every page there.

Arabia Deserta | Charles M. Doughty | Travel | 1936 | Hardback | Very good | 1268 | English | Ask in store | 4.7 (6) | Last copy
Two stout volumes in the original cloth, with the large folding map in its pocket. Kept behind the desk; please ask to see it.

Alice's Adventures in Wonderland | Lewis Carroll | Children's books | 1932 | Hardback | Good | 192 | English | £16.00 | 4.7 (61) | In stock
Down the rabbit hole with the familiar engravings. A bookplate says that it was a prize for "neatness & punctuality".

The Sonnets | William Shakespeare | Poetry & plays | 1958 | Paperback | Very good | 174 | English | £4.50 | 4.6 (23) | In stock
All 154 of them, one to a page, with room in the margins for an opinion.

Gösta Berlings saga | Selma Lagerlöf | Fiction | 1951 | Hardback | Good | 416 | Swedish | £9.50 | 4.2 (8) | In stock
The defrocked parson and the cavaliers of Ekeby, in Swedish. Decorated boards, a little rubbed.

Walden; or, Life in the Woods | Henry David Thoreau | Nature | 1970 | Paperback | Good | 352 | English | £4.00 | 4.0 (38) | In stock
Two years by a pond, with the accounts added up to the half cent. Somebody has underlined the bit about alarm clocks.

Moby-Dick; or, The Whale | Herman Melville | Fiction | 1930 | Hardback | Very good | 822 | English | £48.00, was £60.00 | 4.5 (40) | Last copy
A handsome illustrated edition of the long hunt. Blue cloth, silver whale, all its tissue guards.

A Child's Garden of Verses | Robert Louis Stevenson | Children's books | 1946 | Hardback | Very good | 112 | English | £13.50 | 4.8 (19) | In stock
The lamplighter, the swing and the land of counterpane. Inscribed "for Ned & Maud, to share".

Travels in West Africa | Mary Kingsley | Travel | 1982 | Paperback | Very good | 744 | English | £8.50 | 4.6 (14) | In stock
By canoe and on foot with a good thick skirt, told with the driest wit of any explorer on our shelves.

Pan Tadeusz | Adam Mickiewicz | Poetry & plays | 1954 | Hardback | Good | 390 | Polish | £10.00 | 4.4 (9) | In stock
The last foray in Lithuania, in twelve books of Polish verse, with woodcuts of bears and bigos.

Sons & Lovers | D. H. Lawrence | Fiction | 1956 | Paperback | Well read | 511 | English | £2.50 | 3.9 (25) | In stock
Paul Morel between his mother, the colliery and Miriam's garden. A pocket copy that has seen pockets.

British Birds & Their Nests | Edith Lovell | Nature | 1938 | Hardback | Good | 214 | English | £9.00 | none | Last copy
A field guide from before field guides fitted in a pocket. Forty colour plates, counted twice.

Dubliners | James Joyce | Fiction | 1967 | Hardback | Very good | 224 | English | £12.50 | 4.4 (33) | In stock
Fifteen stories that end in snow. Crisp wrapper with a small closed tear at the foot.

The Railway Children | E. Nesbit | Children's books | 1960 | Hardback | Good | 240 | English | £6.50 | 4.7 (36) | In stock
Three children, a signal of red flannel and the 9.15. Former school library copy with its tickets still in the pocket.

Eothen | Alexander Kinglake | Travel | 1908 | Hardback | Fair | 286 | English | £8.00, was £11.00 | 4.1 (5) | In stock
Across the Ottoman lands in 1834, remembered at leisure. Pocket size, gilt top, foxing to the first leaves.

Cyrano de Bergerac | Edmond Rostand | Poetry & plays | 1926 | Paperback | Fair | 230 | French | £5.00 | 4.6 (21) | In stock
The play with the nose, in French, in its yellow wrappers. Uncut from page 97, where the first reader gave up.

Great Expectations | Charles Dickens | Fiction | 1939 | Hardback | Good | 560 | English | £8.50 | 4.6 (47) | In stock
Pip, the marshes and a wedding cake past its best. From a uniform set; we have other volumes upstairs.

Flora of the Lowland Bogs | Séamus Ó Briain | Nature | 1974 | Paperback | Very good | 168 | English | £7.50 | none | In stock
Mosses, sundews and cotton grass, with keys that a beginner can follow. Waterproof cover, and it has been tested.

Die Verwandlung | Franz Kafka | Fiction | 1972 | Paperback | Good | 96 | German | £3.00 | 4.3 (29) | In stock
Gregor Samsa wakes late for work, in German. Pencilled vocabulary up to page 20 and none after it.

Treasure Island | Robert Louis Stevenson | Children's books | 1927 | Hardback | Very good | 288 | English | £24.00 | 4.8 (50) | Reserved
Parrot, parchment and apple barrel, with the map in two colours. A good clean copy of a much loved edition.

The Worst Journey in the World | Apsley Cherry-Garrard | Travel | 1965 | Hardback | Very good | 588 | English | £19.50 | 4.9 (22) | In stock
To the penguins of Cape Crozier and back in the dark. Read it in a warm chair.

Persuasion | Jane Austen | Fiction | 1934 | Hardback | Good | 268 | English | £9.50, was £13.00 | 4.8 (55) | In stock
Eight years late and still in time. Slim blue volume with a ribbon.

Truyện Kiều | Nguyễn Du | Poetry & plays | 1973 | Paperback | Good | 212 | Vietnamese | £9.00 | 4.7 (4) | Last copy
The Tale of Kiều, 3,254 lines, in Vietnamese with an English crib on the facing page.

The Beekeeper's Year | Winifred Ashdown | Nature | 1953 | Hardback | Good | 176 | English | £6.00 | 4.5 (11) | In stock
From spring cleaning to winter stores, month by month. A splash of something sticky on the chapter on July.

Crime and Punishment | Fyodor Dostoevsky | Fiction | 1951 | Paperback | Good | 559 | English | £4.50 | 4.7 (58) | In stock
An axe, a staircase and a very patient investigator. Tight binding for a book this worried.

Babička | Božena Němcová | Fiction | 1961 | Hardback | Very good | 244 | Czech | £8.00 | 4.1 (7) | In stock
The Grandmother in Czech, with pictures of the mill and the old bleaching ground on nearly every page.

The Secret Garden | Frances Hodgson Burnett | Children's books | 1958 | Hardback | Good | 256 | English | £7.50 | 4.8 (42) | In stock
A locked door, a robin and Yorkshire air. The endpapers have been coloured in, rather well.

Tristram Shandy | Laurence Sterne | Fiction | 1912 | Hardback | Fair | 640 | English | £15.00 | 4.2 (13) | In stock
He is not born until the third volume. Black page, marbled page and blank page all where they should be.

In Patagonia's Wake | Tomás Echeverría | Travel | 1988 | Paperback | Very good | 198 | English | £5.50 | 3.8 (9) | In stock
A slow boat down the fjords with a cook who had read everything. Signed by the author "with wind".

The Rubáiyát | Omar Khayyám | Poetry & plays | 1910 | Hardback | Very good | 120 | English | Ask in store | 4.6 (10) | Last copy
A jewelled little binding after the famous lost one, peacocks and all. Price depends on who is asking.

The Moonstone | Wilkie Collins | Fiction | 1944 | Hardback | Well read | 452 | English | £5.00 | 4.4 (28) | In stock
The diamond, the sergeant and his roses. Wartime paper, browned but sound.

Clouds, Rain & the Weather Glass | Henrik Øverland | Nature | 1931 | Hardback | Good | 144 | English | £10.50, was £14.00 | 4.0 (3) | In stock
How to tell tomorrow from the sky and a column of mercury. Volvelle at the back still turns.

Les Misérables | Victor Hugo | Fiction | 1957 | Paperback | Good | 1486 | French | £11.00 | 4.7 (20) | In stock
Three thick volumes in French, including the sewers. A tram ticket marks the end of part one.

Heidi | Johanna Spyri | Children's books | 1949 | Hardback | Well read | 302 | English | £3.00 | 4.5 (30) | In stock
Goats, grandfather and toasted cheese. Read to pieces and mended with love and brown tape.

Frankenstein; or, The Modern Prometheus | Mary Shelley | Fiction | 1934 | Hardback | Fine | 246 | English | Ask in store | 4.5 (49) | Last copy
Letters from the ice, and what was met there. Number 212 of 500 with the woodcuts, in its black slipcase.

A Time of Gifts on Foot | Rosalind Thackeray-Muñoz | Travel | 1979 | Hardback | Good | 310 | English | £9.00 | 4.3 (12) | In stock
From the Hook of Holland to the Iron Gates with a rucksack, a stick and an introduction to a count.

Faust. Der Tragödie erster Teil | Johann Wolfgang von Goethe | Poetry & plays | 1949 | Hardback | Good | 198 | German | £6.50 | 4.4 (17) | In stock
The wager, the poodle and Gretchen, in German. Gothic type; it gets easier after the prologue.

Cranford | Elizabeth Gaskell | Fiction | 1898 | Hardback | Good | 298 | English | £26.00 | 4.6 (15) | Last copy
Miss Matty and the ladies who saved string. Gilt peacock-green cloth, a hundred drawings, and one button left inside.

The Hedgerow Cookbook | Nan Wetherby | Nature | 1977 | Paperback | Well read | 132 | English | £3.50, was £5.00 | 4.6 (24) | In stock
Sloes, nettles, cobnuts and what to do with them. Stains are evidence.

Ο Καπετάν Μιχάλης | Νίκος Καζαντζάκης | Fiction | 1964 | Paperback | Good | 480 | Greek | £7.00 | 4.3 (6) | In stock
Freedom and Death in Greek: Crete, 1889, and a captain who never laughs. Sun-faded, as it should be.

The Jungle Book | Rudyard Kipling | Children's books | 1936 | Hardback | Good | 276 | English | £10.00 | 4.4 (35) | In stock
Mowgli, the white seal and Rikki-tikki-tavi. Elephant on the spine, slightly trodden.

Lyrical Ballads | Wordsworth & Coleridge | Poetry & plays | 1963 | Paperback | Good | 338 | English | £4.00 | 4.2 (14) | In stock
The mariner, the thorn and Tintern Abbey, both prefaces included. Lecture notes in a tidy hand.

Middlemarch | George Eliot | Fiction | 1985 | Paperback | Well read | 908 | English | £3.50 | 4.8 (31) | In stock
The reading copy, for the bath or the train. The green one is the one to keep.

A Naturalist's Notes on Eels | P. J. O'Hanrahan | Nature | 1961 | Paperback | Good | 88 | English | £2.50 | none | In stock
Everything that was known, which was not where they go. Stapled, with a diagram that folds out.

Dracula | Bram Stoker | Fiction | 1947 | Hardback | Very good | 418 | English | £17.50, was £21.00 | 4.5 (53) | In stock
Diaries, telegrams and a ship with no crew. Yellow cloth, red letters, best kept on a high shelf.

Peer Gynt | Henrik Ibsen | Poetry & plays | 1928 | Hardback | Good | 256 | Norwegian | £7.50 | 4.0 (5) | In stock
Trolls, onions and the button-moulder, in Norwegian. With the programme of a performance in Bergen tucked in.

Three Men in a Boat | Jerome K. Jerome | Fiction | 1953 | Hardback | Good | 215 | English | £6.00 | 4.7 (45) | In stock
To say nothing of the dog. Light water damage, which seems fair.

An Atlas of Imaginary Islands | Ingrid Þorsteinsdóttir | Travel | 1994 | Hardback | Fine | 160 | English | £32.00 | 4.9 (8) | Last copy
Sixty islands that were once on charts & are not there. Large format, still in its slipcase.

Njáls saga | Anonymous | Fiction | 1954 | Hardback | Very good | 516 | Icelandic | Ask in store | 4.8 (11) | Last copy
The burning of Njáll, in Icelandic, in a quarter-leather binding by a Reykjavík workshop. Priced on request.

The Story of the Amulet | E. Nesbit | Children's books | 1959 | Paperback | Good | 282 | English | £4.00 | 4.5 (20) | In stock
Half a charm, four children and a very cross sand-fairy. Ink drawings throughout.

Vanity Fair | William Makepeace Thackeray | Fiction | 1922 | Hardback | Good | 784 | English | £9.00 | 4.2 (26) | In stock
A novel without a hero and with Becky Sharp. India paper, limp leather, small enough for a reticule.

The Odyssey | Homer | Poetry & plays | 1946 | Paperback | Well read | 365 | English | £3.00 | 4.7 (39) | In stock
Ten years to get home, in plain prose. Broken-backed but still sailing.
`;
